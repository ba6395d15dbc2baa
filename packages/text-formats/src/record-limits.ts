/**
 * Maximum number of fields of a document or row that is inferred to be a record, those of records within it included. More names than
 * this are data: such a value is `any`.
 */
export const MAX_FIELDS = 5000;

/** The same for a record within another value. Lower, since the engine plans what is done with the fields in the square of their number (1,000: 1 s). */
export const MAX_MEMBER_FIELDS = 1000;
