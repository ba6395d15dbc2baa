/** Function of the engine instances that records a failure: `svc_note_failure(number of the row, message)` is NULL. */
export const NOTE_FAILURE = 'svc_note_failure';
