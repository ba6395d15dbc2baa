import type { ZonedDateTime } from '@internationalized/date';
import { Calendar as CalendarIcon, ChevronLeft, ChevronRight } from 'lucide-react';
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  FieldError,
  Group,
  Heading,
  Label,
  Popover,
  Text,
  type DatePickerProps,
} from 'react-aria-components';

import { IconButton } from './button.tsx';
import './date-time-field.css';

/** A date and a time of the reader's own zone, typed in or picked from a calendar. */
export interface DateTimeFieldProps extends Pick<
  DatePickerProps<ZonedDateTime>,
  'value' | 'onChange' | 'minValue' | 'isRequired' | 'validate' | 'autoFocus'
> {
  readonly label: string;
  readonly hint: string;
}

export function DateTimeField({ label, hint, ...rest }: DateTimeFieldProps) {
  return (
    <DatePicker {...rest} className="field" granularity="minute" hideTimeZone>
      <Label className="field-label">{label}</Label>
      <Group className="input-group date-group">
        <DateInput className="date-input">{(segment) => <DateSegment className="date-segment" segment={segment} />}</DateInput>
        <IconButton label="Open the calendar" icon={<CalendarIcon className="icon" aria-hidden />} />
      </Group>
      <Text slot="description" className="field-hint">
        {hint}
      </Text>
      <FieldError className="field-error" />
      <Popover className="popover">
        <Dialog className="calendar-dialog">
          <Calendar>
            <header className="calendar-header">
              <IconButton slot="previous" label="Previous month" icon={<ChevronLeft className="icon" aria-hidden />} />
              <Heading className="calendar-title" />
              <IconButton slot="next" label="Next month" icon={<ChevronRight className="icon" aria-hidden />} />
            </header>
            <CalendarGrid className="calendar-grid">
              <CalendarGridHeader>{(day) => <CalendarHeaderCell className="calendar-day">{day}</CalendarHeaderCell>}</CalendarGridHeader>
              <CalendarGridBody>{(date) => <CalendarCell className="calendar-cell" date={date} />}</CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}
