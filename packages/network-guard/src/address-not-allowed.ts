/** A host that may not be reached from here. The message may be shown to callers: it names the host as they wrote it. */
export class AddressNotAllowed extends Error {
  readonly code = 'EADDRNOTALLOWED';
  readonly host: string;

  constructor(host: string) {
    super(`The address of ${JSON.stringify(host)} is not allowed: it is not a public one, and the operator has not listed it.`);
    this.name = 'AddressNotAllowed';
    this.host = host;
  }
}

/** Returns whether a connection failed because its address is not allowed. Inspects causes, since clients wrap errors. */
export function isAddressNotAllowed(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < 10 && typeof error === 'object' && error !== null; depth += 1) {
    if (error instanceof AddressNotAllowed) return true;
    error = 'cause' in error ? error.cause : undefined;
  }
  return false;
}
