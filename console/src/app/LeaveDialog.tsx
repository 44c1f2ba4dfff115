/** Asks before a page with unsaved changes is left. */
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { leaveQuestion } from './unsaved';

export function LeaveDialog() {
  const question = leaveQuestion.value;
  const answer = (leave: boolean) => question?.answer(leave);
  return (
    <Dialog
      open={question !== undefined}
      onClose={() => answer(false)}
      title="Leave without saving?"
      footer={
        <>
          <Button onClick={() => answer(true)}>Leave</Button>
          <Button variant="primary" onClick={() => answer(false)} autofocus>
            Stay
          </Button>
        </>
      }
    >
      {question?.what} has changes that are not saved.
    </Dialog>
  );
}
