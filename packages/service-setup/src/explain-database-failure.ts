import { isLockTimeout, isStatementTimeout, LostConnectionError, NoConnectionError, takesNoWrites } from '@svc/database';
import { serviceUnavailable } from '@svc/errors';

/** Converts a temporary failure of the database to `service_unavailable`; returns others unchanged. */
export function explainDatabaseFailure(thrown: unknown): unknown {
  if (takesNoWrites(thrown)) return serviceUnavailable('The database cannot store anything now. Try again later.', thrown);
  const isAway = thrown instanceof NoConnectionError || thrown instanceof LostConnectionError;
  return isAway || isStatementTimeout(thrown) || isLockTimeout(thrown)
    ? serviceUnavailable('The database cannot take this request now. Try again later.', thrown)
    : thrown;
}
