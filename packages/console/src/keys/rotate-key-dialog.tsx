import { useState } from 'react';

import { explainError, mayHaveHappened } from '../gateway/explain-error.ts';
import type { ApiKey } from '../gateway/api-types.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ModalDialog } from '../ui/dialog.tsx';
import { RadioGroup } from '../ui/fields.tsx';
import { useRotateKey } from './key-queries.ts';
import { NewKeyText } from './key-text.tsx';

/** Grace periods of the old text, in seconds. */
const GRACES = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
] as const;

export function RotateKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const [grace, setGrace] = useState<(typeof GRACES)[number]['value']>('3600');
  const rotate = useRotateKey(apiKey.id);
  if (rotate.data !== undefined)
    return (
      <ModalDialog title="The key is rotated" isOpen onClose={onClose}>
        <p>{grace === '0' ? 'The old key no longer works.' : `The old key works for another ${graceLabel(grace)}.`} This is the new one:</p>
        <NewKeyText name={apiKey.name} text={rotate.data.key} />
        <div className="dialog-actions">
          <Button variant="primary" autoFocus onPress={onClose}>
            Done
          </Button>
        </div>
      </ModalDialog>
    );
  return (
    <ModalDialog title={`Rotate "${apiKey.name}"`} isOpen onClose={onClose}>
      {rotate.isError ? (
        <Alert
          tone="danger"
          title={mayHaveHappened(rotate.error) ? 'The key may have been rotated: copy it again' : 'The key was not rotated'}
          role="alert"
        >
          {explainError(rotate.error)}
        </Alert>
      ) : null}
      <p>The key gets a new text. Its scopes, its end and its limit stay.</p>
      <RadioGroup
        label="The old key still works"
        hint="Choose “Not at all” if somebody else may know the key."
        choices={GRACES}
        value={grace}
        onChoose={setGrace}
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="primary" isPending={rotate.isPending} onPress={() => rotate.mutate(Number(grace))}>
          Rotate the key
        </Button>
      </div>
    </ModalDialog>
  );
}

function graceLabel(grace: string): string {
  return GRACES.find(({ value }) => value === grace)?.label ?? '';
}
