/** Asks the user to confirm leaving a page with unsaved changes. */
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { leavePrompt } from './unsaved';

export function LeaveDialog() {
  const prompt = leavePrompt.value;
  const respond = (leave: boolean) => prompt?.respond(leave);
  return (
    <Dialog
      open={prompt !== undefined}
      onClose={() => respond(false)}
      title="Leave without saving?"
      footer={
        <>
          <Button onClick={() => respond(true)}>Leave</Button>
          <Button variant="primary" onClick={() => respond(false)} autofocus>
            Stay
          </Button>
        </>
      }
    >
      {prompt?.subject} has unsaved changes.
    </Dialog>
  );
}
