/** The database was migrated by a newer version of the program, which breaks this one; its message is one line for the operator. */
export class SchemaTooNewError extends Error {
  constructor(found: number, newest: number) {
    super(
      `The database has schema version ${found}, which this program, written for version ${newest}, cannot work with: ` +
        `start a newer program, use another database, or have the newer program's migrations go "down ${newest}".`,
    );
    this.name = 'SchemaTooNewError';
  }
}
