import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { Link, type LinkProps } from 'react-router';

import './button.css';

/** Prominence of a button. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet';

/** A button of React Aria with the console's looks. */
export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'style'> {
  readonly variant?: ButtonVariant;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

export function Button({ variant = 'secondary', icon, children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={`button button-${variant}`}>
      {icon}
      <span>{children}</span>
    </AriaButton>
  );
}

/** A button that shows an icon only; its label is read aloud. */
export function IconButton({
  label,
  icon,
  ...rest
}: Omit<ButtonProps, 'children' | 'icon'> & { readonly label: string; readonly icon: ReactNode }) {
  const { variant = 'quiet', ...props } = rest;
  return (
    <AriaButton {...props} aria-label={label} className={`button button-icon button-${variant}`}>
      {icon}
    </AriaButton>
  );
}

/** A link to another page that looks like a button. */
export function LinkButton({
  variant = 'secondary',
  icon,
  children,
  to,
}: Pick<ButtonProps, 'variant' | 'icon' | 'children'> & Pick<LinkProps, 'to'>) {
  return (
    <Link to={to} className={`button button-${variant}`}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}
