import { getLocalTimeZone, parseAbsolute, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import { Form } from 'react-aria-components';

import { explainError } from '../gateway/explain-error.ts';
import type { ApiKey } from '../gateway/api-types.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ModalDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { useNotice } from '../ui/notices.tsx';
import { ExpiryField, LongTermWarning } from './expiry-field.tsx';
import { useChangeKey } from './key-queries.ts';
import { RateLimitField } from './rate-limit-field.tsx';

export function EditKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  // The key as it was opened. `apiKey` follows changes of others, which a save of unedited fields would undo.
  const [opened] = useState(apiKey);
  const [name, setName] = useState(opened.name);
  const [initialEnd] = useState<ZonedDateTime>(() => parseAbsolute(opened.expiresAt, getLocalTimeZone()));
  const [end, setEnd] = useState<ZonedDateTime | null>(initialEnd);
  const [rateLimit, setRateLimit] = useState(opened.rateLimit);
  const change = useChangeKey(apiKey.id);
  const notify = useNotice();
  const submit = (): void => {
    change.mutate(
      {
        ...(name.trim() === opened.name ? {} : { name: name.trim() }),
        // An expiry that was not edited keeps its exact value.
        ...(end === null || end.compare(initialEnd) === 0 ? {} : { expiresAt: end.toAbsoluteString() }),
        ...(JSON.stringify(rateLimit) === JSON.stringify(opened.rateLimit) ? {} : { rateLimit }),
      },
      {
        onSuccess: () => {
          notify('The changes are saved.');
          onClose();
        },
      },
    );
  };
  return (
    <ModalDialog title={`Edit "${apiKey.name}"`} isOpen onClose={onClose}>
      <Form
        className="stack form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {change.isError ? (
          <Alert tone="danger" title="The changes were not saved" role="alert">
            {explainError(change.error)}
          </Alert>
        ) : null}
        <TextField label="Name" value={name} onChange={setName} isRequired maxLength={200} autoComplete="off" autoFocus />
        <div className="stack">
          <ExpiryField value={end} onChange={setEnd} stored={initialEnd} />
          <LongTermWarning moment={end} />
        </div>
        <RateLimitField value={rateLimit} onChange={setRateLimit} />
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={change.isPending}>
            Save
          </Button>
        </div>
      </Form>
    </ModalDialog>
  );
}
