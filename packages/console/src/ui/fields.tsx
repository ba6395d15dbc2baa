import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  Checkbox as AriaCheckbox,
  CheckboxGroup as AriaCheckboxGroup,
  FieldError,
  Group,
  Input,
  Label,
  NumberField as AriaNumberField,
  Radio,
  RadioGroup as AriaRadioGroup,
  Text,
  TextField as AriaTextField,
  type CheckboxGroupProps,
  type CheckboxProps,
  type NumberFieldProps,
  type RadioGroupProps,
  type TextFieldProps,
} from 'react-aria-components';

import './fields.css';

/** Parts of every field: a visible label, and a hint that screen readers read with it. */
interface Labelled {
  readonly label: string;
  readonly hint?: string;
}

export function TextField({ label, hint, ...rest }: Labelled & Omit<TextFieldProps, 'className' | 'style' | 'children'>) {
  return (
    <AriaTextField {...rest} className="field">
      <Label className="field-label">{label}</Label>
      <Input className="input" />
      <Hint>{hint}</Hint>
      <FieldError className="field-error" />
    </AriaTextField>
  );
}

export function NumberField({ label, hint, ...rest }: Labelled & Omit<NumberFieldProps, 'className' | 'style' | 'children'>) {
  return (
    <AriaNumberField {...rest} className="field field-number">
      <Label className="field-label">{label}</Label>
      <Group className="input-group">
        <AriaButton slot="decrement" className="stepper">
          −
        </AriaButton>
        <Input className="input input-bare" />
        <AriaButton slot="increment" className="stepper">
          +
        </AriaButton>
      </Group>
      <Hint>{hint}</Hint>
      <FieldError className="field-error" />
    </AriaNumberField>
  );
}

export function Checkbox({
  hint,
  children,
  ...rest
}: Omit<CheckboxProps, 'className' | 'style' | 'children'> & { readonly hint?: string | undefined; readonly children: ReactNode }) {
  return (
    <AriaCheckbox {...rest} className="checkbox">
      <span className="checkbox-box" aria-hidden>
        <Check className="checkbox-mark" />
      </span>
      <span>
        {children}
        {hint === undefined ? null : <span className="field-hint checkbox-hint">{hint}</span>}
      </span>
    </AriaCheckbox>
  );
}

export function CheckboxGroup({
  label,
  hint,
  children,
  ...rest
}: Labelled & Omit<CheckboxGroupProps, 'className' | 'style' | 'children'> & { readonly children: ReactNode }) {
  return (
    <AriaCheckboxGroup {...rest} className="field">
      <Label className="field-label">{label}</Label>
      <Hint>{hint}</Hint>
      {children}
      <FieldError className="field-error" />
    </AriaCheckboxGroup>
  );
}

/** A choice of a few options, all visible. */
export function RadioGroup<Value extends string>({
  label,
  hint,
  choices,
  onChoose,
  ...rest
}: Labelled & {
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
} & Omit<RadioGroupProps, 'className' | 'style' | 'children' | 'onChange'>) {
  return (
    <AriaRadioGroup
      {...rest}
      className="field"
      onChange={(chosen) => {
        const choice = choices.find(({ value }) => value === chosen);
        if (choice !== undefined) onChoose(choice.value);
      }}
    >
      <Label className="field-label">{label}</Label>
      <div className="radios">
        {choices.map((choice) => (
          <Radio key={choice.value} value={choice.value} className="radio">
            {choice.label}
          </Radio>
        ))}
      </div>
      <Hint>{hint}</Hint>
      <FieldError className="field-error" />
    </AriaRadioGroup>
  );
}

function Hint({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <Text slot="description" className="field-hint">
      {children}
    </Text>
  );
}
