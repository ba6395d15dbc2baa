/** Completes "the member x": data has a member that its type, which comes from a sample, lacks. */
export const UNSEEN = 'is not in the sample that the type comes from: sample_size := -1 looks at all of the data';
