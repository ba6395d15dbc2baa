/** The database was migrated by a newer version of the program; its message is one line for the operator. */
export class SchemaTooNewError extends Error {
  constructor(found: number, newest: number) {
    super(
      `The database has schema version ${found}, and this program knows versions up to ${newest}: start a newer program, or use another database.`,
    );
    this.name = 'SchemaTooNewError';
  }
}
