import type { RateLimit } from '../gateway/api-types.ts';
import { Checkbox, NumberField } from '../ui/fields.tsx';

const DEFAULT_LIMIT: RateLimit = { requests: 100, seconds: 60 };

/** An optional limit of calls per period. */
export function RateLimitField({
  value,
  onChange,
}: {
  readonly value: RateLimit | null;
  readonly onChange: (value: RateLimit | null) => void;
}) {
  return (
    <div className="stack-small">
      <Checkbox
        isSelected={value !== null}
        onChange={(isLimited) => onChange(isLimited ? DEFAULT_LIMIT : null)}
        hint="Calls past the limit are refused with status 429 until some time has passed."
      >
        Limit how often the key may be used
      </Checkbox>
      {value === null ? null : (
        <div className="rate-limit">
          <NumberField
            label="Calls"
            value={value.requests}
            minValue={1}
            maxValue={1_000_000}
            isRequired
            onChange={(requests) => onChange({ ...value, requests })}
          />
          <NumberField
            label="In seconds"
            value={value.seconds}
            minValue={1}
            maxValue={86_400}
            isRequired
            onChange={(seconds) => onChange({ ...value, seconds })}
          />
        </div>
      )}
    </div>
  );
}
