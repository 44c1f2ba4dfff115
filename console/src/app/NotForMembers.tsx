import { myConnectionsPath } from '../logic/page-access';
import { Button } from '../ui/Button';
import { Empty } from '../ui/Empty';

/** Shown to members at the address of a page that manages the service. */
export function NotForMembers() {
  return (
    <Empty
      icon="lock"
      heading="h1"
      title="This page is for people who manage servers"
      action={
        <Button variant="primary" href={myConnectionsPath}>
          My connections
        </Button>
      }
    >
      Your role is member: you can use the servers that you were given access to, but not manage them. Ask an
      administrator if you need another role.
    </Empty>
  );
}
