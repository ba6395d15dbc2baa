import type { ApiKey } from '../gateway/api-types.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';

const STATUSES = {
  active: { label: 'Active', tone: 'success' },
  inactive: { label: 'Inactive', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'warning' },
} as const satisfies Record<ApiKey['status'], { readonly label: string; readonly tone: BadgeTone }>;

export function KeyStatus({ status }: Pick<ApiKey, 'status'>) {
  const { label, tone } = STATUSES[status];
  return <Badge tone={tone}>{label}</Badge>;
}
