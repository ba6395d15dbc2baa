/** The user on whose behalf a query runs. */
export interface Caller {
  readonly subject: string;
  readonly namespace: string;
  readonly scopes: readonly string[];
}
