import { getLocalTimeZone, now, type ZonedDateTime } from '@internationalized/date';

import { Alert } from '../ui/alert.tsx';
import { DateTimeField } from '../ui/date-time-field.tsx';
import { isLongTerm, timeZoneName } from './expiry.ts';

/** The expiry of a key, with a warning if it is far away. */
export function ExpiryField({
  value,
  onChange,
  stored,
}: {
  readonly value: ZonedDateTime | null;
  readonly onChange: (value: ZonedDateTime | null) => void;
  /** The expiry that the key has: it may stay, even if it has passed. */
  readonly stored?: ZonedDateTime;
}) {
  const isStored = (moment: ZonedDateTime): boolean => stored !== undefined && moment.compare(stored) === 0;
  return (
    <DateTimeField
      label="Expires at"
      hint={`In your time zone, ${timeZoneName()}.`}
      value={value}
      onChange={onChange}
      isRequired
      // An empty field is reported by `isRequired`.
      validate={(moment) => (isStored(moment) || moment.compare(now(getLocalTimeZone())) > 0 ? null : 'Choose a moment in the future.')}
    />
  );
}

/** Advises against a long term; shown and read when it becomes true. */
export function LongTermWarning({ moment }: { readonly moment: ZonedDateTime | null }) {
  return (
    <div role="status">
      {moment !== null && isLongTerm(moment) ? (
        <Alert tone="warning" title="More than a year is a long time">
          Whoever finds this key can use it until then. A short term is safer: a key can be rotated without a gap.
        </Alert>
      ) : null}
    </div>
  );
}
