import { formatDate, formatRelative, formatTime } from '../format/time.ts';
import { useNow } from './now.tsx';

/** A time relative to now, with the absolute one below; the precision `day` omits the time of day. */
export function Time({ iso, precision = 'minute' }: { readonly iso: string; readonly precision?: 'day' | 'minute' }) {
  const now = useNow();
  return (
    <time dateTime={iso} title={formatTime(iso)} className="time">
      <span>{formatRelative(iso, now)}</span>
      <span className="muted small">{precision === 'day' ? formatDate(iso) : formatTime(iso)}</span>
    </time>
  );
}
