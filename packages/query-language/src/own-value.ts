/** Returns the own property of a table under a name that a program wrote. `constructor` and other inherited members are no entries. */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
