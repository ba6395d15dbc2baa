/** Status of an API key, as shown to its owner. */
export type ApiKeyStatus = 'active' | 'inactive' | 'expired';

/** The fields of a key that decide its status. */
export interface ApiKeyValidity {
  readonly isActive: boolean;
  readonly expiresAt: Date;
}

/** Returns the status of a key at an instant. The key is valid at `expiresAt` itself and expired afterwards, whether it is active or not. */
export function apiKeyStatus({ isActive, expiresAt }: ApiKeyValidity, now: Date): ApiKeyStatus {
  if (now.getTime() > expiresAt.getTime()) return 'expired';
  return isActive ? 'active' : 'inactive';
}
