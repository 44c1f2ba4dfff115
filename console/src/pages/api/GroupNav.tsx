import type { ApiGroup } from '../../logic/openapi';

/** Navigation to the groups of operations. */
export function GroupNav({ groups }: { groups: readonly ApiGroup[] }) {
  return (
    <nav class="api-nav" aria-label="Subjects">
      {groups.map(({ name, label, operations }) => (
        <button
          key={name}
          type="button"
          class="api-nav-entry"
          onClick={() => document.getElementById(`api-${name}`)?.scrollIntoView({ block: 'start' })}
        >
          <span class="grow">{label}</span>
          <span class="muted number">{operations.length}</span>
        </button>
      ))}
    </nav>
  );
}
