import { Button } from '../ui/button.tsx';
import { ModalDialog } from '../ui/dialog.tsx';
import type { Session } from './session.ts';

/** Covers the page when a new sign-in is required. */
export function SessionOver({ isOpen, session }: { readonly isOpen: boolean; readonly session: Session }) {
  return (
    <ModalDialog title="Your session has ended" isOpen={isOpen} onClose={() => {}} role="alertdialog" canDismiss={false}>
      <p>Sign in again to go on. You come back to this page; what you have entered here and not saved is lost.</p>
      <div className="dialog-actions">
        <Button variant="primary" autoFocus onPress={() => void session.signInAgain()}>
          Sign in again
        </Button>
      </div>
    </ModalDialog>
  );
}
