import { useState, type ReactNode } from 'react';

import { Button } from './button.tsx';
import './data-table.css';

/** A column of a table. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The cell that names the row. */
  readonly isRowHeader?: boolean;
}

/** Properties of a table. */
export interface DataTableProps<Row> {
  /** Label of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Number of rows shown at first; more make the page slow. */
  readonly pageRows?: number;
}

/**
 * A table that becomes a list of cards on narrow screens. Roles are explicit because a browser may drop them from elements
 * with another layout.
 */
export function DataTable<Row>({ label, columns, rows, rowKey, pageRows = 100 }: DataTableProps<Row>) {
  const [extra, setExtra] = useState(0);
  const limit = pageRows + extra;
  const hidden = rows.length - limit;
  return (
    <div className="stack">
      <table className="table" role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ header }) => (
              <th key={header} role="columnheader" scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.slice(0, limit).map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) => (
                <Cell key={column.header} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 ? (
        <div className="cluster">
          <Button onPress={() => setExtra(extra + pageRows)}>Show more</Button>
          <span className="muted">
            {limit} of {rows.length} shown
          </span>
        </div>
      ) : null}
    </div>
  );
}

function Cell<Row>({ column: { header, cell, isRowHeader = false }, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const content = (
    <>
      <span className="table-label" aria-hidden>
        {header}
      </span>
      <div>{cell(row)}</div>
    </>
  );
  return isRowHeader ? (
    <th role="rowheader" scope="row">
      {content}
    </th>
  ) : (
    <td role="cell">{content}</td>
  );
}
