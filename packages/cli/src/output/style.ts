import { styleText } from 'node:util';

/** Colours of a stream, or none. */
export interface Style {
  readonly error: (text: string) => string;
  readonly frame: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

/** Returns colours for a terminal that supports them; none for files and pipes, or if NO_COLOR is set. */
export function styleFor(stream: NodeJS.WriteStream): Style {
  // `hasColors` reads NO_COLOR, FORCE_COLOR and TERM.
  const isColored = stream.isTTY && stream.hasColors();
  const paint =
    (...format: ('red' | 'blue' | 'bold' | 'dim')[]) =>
    (text: string): string =>
      isColored ? styleText(format, text, { validateStream: false }) : text;
  return { error: paint('red', 'bold'), frame: paint('blue'), strong: paint('bold'), faint: paint('dim') };
}
