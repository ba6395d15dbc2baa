/** Message for a text file whose bytes are not in the encoding it is read with. */
export const NOT_UTF8 = 'bytes that are not UTF-8: encoding := "…" says what they are';
