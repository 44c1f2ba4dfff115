/** A table of one page of an API list, with its loading error and pagination. */
import type { ApiResponse } from '../api/client';
import type { Query } from '../api/use-query';
import { setQuery } from '../app/router';
import { LoadError } from './LoadError';
import { Pagination } from './Pagination';
import { Table, type TableProps } from './Table';

export interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'reloading'> {
  query: Query<ApiResponse<Row[]>>;
  /** From the query string. */
  page: number;
  /** Plural noun: "servers". */
  noun: string;
}

export function PagedTable<Row>({ query, page, noun, ...table }: PagedTableProps<Row>) {
  const { data, error, loading, reloading, reload } = query;
  return (
    <>
      {error && <LoadError title={`Could not load the ${noun}`} error={error} onRetry={reload} />}
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
