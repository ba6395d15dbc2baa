/** Ends a switch over all kinds: the compiler refuses a call that can be reached. */
export function assertNever(value: never): never {
  throw new Error(`a case is missing for ${JSON.stringify(value)}`);
}
