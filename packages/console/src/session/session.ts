import { isRefusal, type Authorization, type Tokens } from './authorization.ts';

/** Tokens are renewed this long before they expire, so that they outlive requests in progress. */
const RENEW_BEFORE_MS = 30_000;

/** The session is over and a new sign-in is required. The shell shows that; other code need not handle it. */
export class SessionOverError extends Error {
  override readonly name = 'SessionOverError';
}

/** The session of the signed-in user, for the life of the page. */
export class Session {
  readonly #authorization: Authorization;
  readonly #listeners = new Set<() => void>();
  #tokens: Tokens;
  #renewal: Promise<string> | undefined;
  #isOver = false;

  constructor(authorization: Authorization, tokens: Tokens) {
    this.#authorization = authorization;
    this.#tokens = tokens;
  }

  get subject(): string {
    return this.#tokens.subject;
  }

  /** Becomes true once, when the authorization server does not renew the token. For `useSyncExternalStore`. */
  readonly isOver = (): boolean => this.#isOver;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns a token that stays valid for a while, renewed if necessary. Throws SessionOverError. */
  async accessToken(): Promise<string> {
    if (performance.now() < this.#tokens.expiresAt - RENEW_BEFORE_MS) return this.#tokens.accessToken;
    return this.renew();
  }

  /** Renews the token, once for all who wait. Throws SessionOverError, or the error of a network that failed. */
  async renew(): Promise<string> {
    this.#renewal ??= this.#renewNow().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /** Signs in again, and returns to this page. */
  async signInAgain(): Promise<void> {
    await this.#authorization.begin(`${location.pathname}${location.search}`);
  }

  signOut(): void {
    this.#authorization.signOut(this.#tokens);
  }

  async #renewNow(): Promise<string> {
    const { refreshToken } = this.#tokens;
    if (this.#isOver || refreshToken === undefined) return this.#end();
    try {
      this.#tokens = await this.#authorization.renew({ ...this.#tokens, refreshToken });
      return this.#tokens.accessToken;
    } catch (error) {
      if (isRefusal(error)) return this.#end(error);
      throw error;
    }
  }

  #end(cause?: unknown): never {
    this.#isOver = true;
    for (const listener of this.#listeners) listener();
    throw new SessionOverError('The session is over.', { cause });
  }
}
