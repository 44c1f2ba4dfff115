/** The accounts at OpenID providers with which a person signs in, with a button that removes one. */
import { useState } from 'preact/hooks';
import type { ApiResponse } from '../../api/client';
import type { Identity } from '../../api/types';
import type { Query } from '../../api/use-query';
import { Button } from '../../ui/Button';
import { Confirm } from '../../ui/Confirm';
import { LoadError } from '../../ui/LoadError';
import { type Column, Table } from '../../ui/Table';
import { Time } from '../../ui/Time';
import { toast } from '../../ui/Toast';
import './AccountsTable.css';

export interface AccountsTableProps {
  query: Query<ApiResponse<Identity[]>>;
  /** The user; undefined for the signed-in person. */
  userName?: string | undefined;
  /** Whether the caller may remove accounts of this person. */
  removable: boolean;
  onRemove: (account: Identity) => Promise<unknown>;
  onRemoved: () => void;
}

export function AccountsTable({ query, userName, removable, onRemove, onRemoved }: AccountsTableProps) {
  const [removing, setRemoving] = useState<Identity>();
  const { data, error, reload } = query;
  return (
    <>
      {error && <LoadError title="Could not load the linked accounts" error={error} onRetry={reload} />}
      {(data || !error) && (
        <Table
          label="Linked accounts"
          rows={data?.data}
          columns={removable ? [...columns, removeColumn(setRemoving)] : columns}
          rowKey={({ id }) => id}
          skeletonRows={1}
          empty={<p>No account is linked.</p>}
        />
      )}
      {!removable && (
        <p class="field-hint">
          You are signed in with a limited key. To remove an account of yours, sign in with a password or the account;
          administrators can also use a key that has the scope Admin and does not expire.
        </p>
      )}
      {removing && (
        <Confirm
          title="Remove account"
          action="Remove account"
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await onRemove(removing);
            toast(`Removed the account ${removing.subject}.`);
            onRemoved();
          }}
        >
          <RemovalText account={removing} userName={userName} />
        </Confirm>
      )}
    </>
  );
}

const columns: Column<Identity>[] = [
  { id: 'account', label: 'Account', grow: true, render: (account) => <AccountCell account={account} /> },
  {
    id: 'since',
    label: 'Since',
    wideOnly: true,
    render: ({ created_at }) => (
      <span class="accounts-time">
        <Time value={created_at} />
      </span>
    ),
  },
];

function removeColumn(onRemove: (account: Identity) => void): Column<Identity> {
  return {
    id: 'remove',
    label: 'Remove',
    hideLabel: true,
    align: 'end',
    render: (account) => (
      <Button size="small" onClick={() => onRemove(account)}>
        Remove<span class="visually-hidden"> the account {account.subject}</span>
      </Button>
    ),
  };
}

/** Issuer and subject name a person; addresses are not stored. */
function AccountCell({ account: { issuer, subject } }: { account: Identity }) {
  return (
    <div class="accounts-account">
      <p class="accounts-subject">
        <bdi>{subject}</bdi>
      </p>
      <p class="accounts-issuer">
        <bdi>{issuer}</bdi>
      </p>
    </div>
  );
}

function RemovalText({ account, userName }: { account: Identity; userName: string | undefined }) {
  const name = (
    <>
      <bdi>{account.subject}</bdi> at <bdi>{account.issuer}</bdi>
    </>
  );
  if (userName === undefined) {
    return (
      <p class="accounts-text">
        {name} no longer signs you in. You are signed out everywhere, except where you signed in with a key.
      </p>
    );
  }
  return (
    <p class="accounts-text">
      {name} no longer signs in as <bdi>{userName}</bdi>. The user is signed out everywhere, except where a key was
      used. If there is no other way to sign in, create a sign-in link.
    </p>
  );
}
