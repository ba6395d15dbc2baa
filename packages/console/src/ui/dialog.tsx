import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

import { IconButton } from './button.tsx';
import './dialog.css';

/** A modal dialog. */
export interface ModalDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `alertdialog` if the user must answer. */
  readonly role?: 'dialog' | 'alertdialog';
  /** False keeps it open on Escape and on a press outside, and removes the close button. */
  readonly canDismiss?: boolean;
}

export function ModalDialog({ title, isOpen, onClose, children, role = 'dialog', canDismiss = true }: ModalDialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={canDismiss && role === 'dialog'}
      isKeyboardDismissDisabled={!canDismiss}
    >
      <Modal className="modal">
        <Dialog className="dialog" role={role}>
          <header className="dialog-header">
            <Heading slot="title" className="dialog-title">
              {title}
            </Heading>
            {canDismiss ? <IconButton label="Close" icon={<X className="icon" aria-hidden />} onPress={onClose} /> : null}
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
