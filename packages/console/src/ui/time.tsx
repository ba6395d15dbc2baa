import { formatDate, formatRelative, formatTime } from '../format/time.ts';
import { useNow } from './now.tsx';

/** A moment: how far it is from now, and below it when that is; of a `day` the time is left out. */
export function Time({ iso, precision = 'minute' }: { readonly iso: string; readonly precision?: 'day' | 'minute' }) {
  const now = useNow();
  return (
    <time dateTime={iso} title={formatTime(iso)} className="time">
      <span>{formatRelative(iso, now)}</span>
      <span className="muted small">{precision === 'day' ? formatDate(iso) : formatTime(iso)}</span>
    </time>
  );
}
