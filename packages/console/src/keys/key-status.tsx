import type { ApiKey } from '../gateway/api-types.ts';
import { useNow } from '../ui/now.tsx';
import { Badge, type BadgeTone } from '../ui/badge.tsx';

const STATUSES = {
  active: { label: 'Active', tone: 'success' },
  inactive: { label: 'Inactive', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'warning' },
} as const satisfies Record<ApiKey['status'], { readonly label: string; readonly tone: BadgeTone }>;

/** The status that a key has now: it may have expired since it was loaded. */
export function statusOf({ status, expiresAt }: Pick<ApiKey, 'status' | 'expiresAt'>, now: Date): ApiKey['status'] {
  return new Date(expiresAt) < now ? 'expired' : status;
}

export function KeyStatus({ apiKey }: { readonly apiKey: Pick<ApiKey, 'status' | 'expiresAt'> }) {
  const { label, tone } = STATUSES[statusOf(apiKey, useNow())];
  return <Badge tone={tone}>{label}</Badge>;
}
