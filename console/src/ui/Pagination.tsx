/** Pagination of an API list. Hidden if there is only one page. */
import { formatCount } from '../logic/format';
import { Button } from './Button';
import './Pagination.css';

export interface PaginationProps {
  page: number;
  totalPages: number;
  total: number;
  /** Plural noun: "servers". */
  noun: string;
  onPage: (page: number) => void;
}

export function Pagination({ page, totalPages, total, noun, onPage }: PaginationProps) {
  if (totalPages <= 1) return null;
  return (
    <nav class="pagination" aria-label={`Pages of ${noun}`}>
      <span class="pagination-text">
        Page {formatCount(page)} of {formatCount(totalPages)} · {formatCount(total)} {noun}
      </span>
      <Button size="small" icon="chevron-left" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button size="small" disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
