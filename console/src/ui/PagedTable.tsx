/** A page of a list of the service: its rows, or why they did not come, and the way to the other pages. */
import type { Answer } from '../api/client';
import type { Query } from '../api/use-query';
import { setQuery } from '../app/router';
import { LoadError } from './LoadError';
import { Pagination } from './Pagination';
import { Table, type TableProps } from './Table';

export interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'reloading'> {
  query: Query<Answer<Row[]>>;
  /** As the address has it. */
  page: number;
  /** What is listed: "servers". */
  noun: string;
}

export function PagedTable<Row>({ query, page, noun, ...table }: PagedTableProps<Row>) {
  const { data, error, loading, reloading, reload } = query;
  return (
    <>
      {error && <LoadError title={`The ${noun} could not be loaded`} error={error} onRetry={reload} />}
      {(data || loading) && <Table {...table} rows={data?.data} reloading={reloading} />}
      <Pagination
        noun={noun}
        page={page}
        total={data?.total ?? 0}
        totalPages={data?.totalPages ?? 0}
        onPage={(next) => setQuery({ page: next })}
      />
    </>
  );
}
