import { MIMEType } from 'node:util';

/** Returns the media type of a Content-Type, such as `text/csv`; undefined if it is invalid, or names another charset than UTF-8. */
export function utf8MediaType(header: string): string | undefined {
  const type = parse(header);
  const charset = type?.params.get('charset')?.toLowerCase() ?? 'utf-8';
  return charset === 'utf-8' || charset === 'utf8' ? type?.essence : undefined;
}

function parse(header: string): MIMEType | undefined {
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}
