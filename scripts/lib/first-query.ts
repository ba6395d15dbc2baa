/**
 * The query that `npm start` prints, and the beginning of its result. It must not contain a single quote, since it is pasted
 * into a shell.
 */
export const FIRST_QUERY = {
  text: 'SELECT state, COUNT(*) AS airports FROM READ("file:airports.csv") GROUP BY state ORDER BY airports DESC LIMIT 3',
  firstLines: ['{"state":"AK","airports":263}', '{"state":"TX","airports":209}', '{"state":"CA","airports":205}'],
};
