import { explainError } from '../gateway/explain-error.ts';
import type { ApiKey } from '../gateway/api-types.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ModalDialog } from '../ui/dialog.tsx';
import { useDeleteKey } from './key-queries.ts';

export function DeleteKeyDialog({
  apiKey,
  onClose,
  onDeleted,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const remove = useDeleteKey(apiKey.id);
  return (
    <ModalDialog title={`Delete "${apiKey.name}"?`} isOpen onClose={onClose} role="alertdialog">
      {remove.isError ? (
        <Alert tone="danger" title="The key was not deleted" role="alert">
          {explainError(remove.error)}
        </Alert>
      ) : null}
      <p>
        Programs that use this key are refused within a second. This cannot be undone. To stop the key for a while, deactivate it instead.
      </p>
      <div className="dialog-actions">
        <Button autoFocus onPress={onClose}>
          Keep the key
        </Button>
        <Button variant="danger" isPending={remove.isPending} onPress={() => remove.mutate(undefined, { onSuccess: onDeleted })}>
          Delete the key
        </Button>
      </div>
    </ModalDialog>
  );
}
