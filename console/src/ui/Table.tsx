/** Table with sortable columns, a loading skeleton and an empty state. */
import type { ComponentChildren } from 'preact';
import { browserAddress, navigate } from '../app/router';
import { Icon } from './Icon';
import { Skeleton } from './Skeleton';
import './Table.css';

export interface Column<Row> {
  id: string;
  label: string;
  render: (row: Row) => ComponentChildren;
  /** A click on the header sorts by this column; the caller does the sorting. */
  sortable?: boolean | undefined;
  align?: 'end' | undefined;
  /** Takes the remaining width. */
  grow?: boolean | undefined;
  /** Hidden on narrow screens. */
  wideOnly?: boolean | undefined;
  /** Hides the label visually, for a column of buttons. */
  hideLabel?: boolean | undefined;
}

export interface Sort {
  by: string;
  order: 'ASC' | 'DESC';
}

export interface TableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while they load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  sort?: Sort | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  /** Target of a click on the row; a cell should contain the same link. */
  rowHref?: ((row: Row) => string) | undefined;
  /** Newer rows are loading. */
  reloading?: boolean | undefined;
  skeletonRows?: number | undefined;
  /** Shown instead of a table without rows. */
  empty?: ComponentChildren;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, sort, onSort, rowHref, reloading = false, skeletonRows = 5, empty } = props;
  if (rows?.length === 0 && empty) return <>{empty}</>;
  return (
    <div class="table-frame" aria-busy={reloading || rows === undefined}>
      <table class="table">
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => <SkeletonRow key={index} columns={columns} />)
            : rows.map((row) => (
                // Mouse only: keyboard users follow the link in the row.
                <tr
                  key={rowKey(row)}
                  class={rowHref ? 'table-open' : undefined}
                  onClick={rowHref && ((event) => followRow(event, rowHref(row)))}
                >
                  {columns.map((column) => (
                    <td key={column.id} class={cellClass(column)}>
                      {column.render(row)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const sortOrder = sort?.by === column.id ? sort.order : undefined;
  const direction = sortOrder && (sortOrder === 'ASC' ? 'ascending' : 'descending');
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" class={cellClass(column)}>
        <span class={column.hideLabel ? 'visually-hidden' : undefined}>{column.label}</span>
      </th>
    );
  }
  return (
    <th scope="col" class={cellClass(column)} aria-sort={direction}>
      <button
        type="button"
        class="table-sort"
        onClick={() => onSort({ by: column.id, order: sortOrder === 'ASC' ? 'DESC' : 'ASC' })}
      >
        {column.label}
        <span class={sortOrder ? 'table-arrow' : 'table-arrow table-arrow-none'}>
          <Icon name={sortOrder === 'DESC' ? 'arrow-down' : 'arrow-up'} />
        </span>
      </button>
    </th>
  );
}

function SkeletonRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.id} class={cellClass(column)}>
          <Skeleton width={column.grow ? '60%' : '48px'} />
        </td>
      ))}
    </tr>
  );
}

function cellClass<Row>({ align, grow, wideOnly }: Column<Row>): string {
  return [align && 'table-end', grow && 'table-grow', wideOnly && 'table-wide-only'].filter(Boolean).join(' ');
}

/** Follows the link of the row, except for a click on a control or at the end of a text selection. */
function followRow(event: MouseEvent, href: string): void {
  const isOnControl =
    event.target instanceof Element && event.target.closest('a, button, input, select, label, [popover], dialog');
  if (isOnControl || getSelection()?.isCollapsed === false) return;
  if (event.ctrlKey || event.metaKey) window.open(browserAddress(href), '_blank', 'noopener');
  else void navigate(href);
}
