import { useState } from 'preact/hooks';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Confirm } from '../../ui/Confirm';
import { CopyButton, CopyText } from '../../ui/CopyButton';
import { Dialog } from '../../ui/Dialog';
import { Icon, iconNames } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { Kbd } from '../../ui/Kbd';
import { Menu } from '../../ui/Menu';
import { toast } from '../../ui/Toast';

const variants = ['primary', 'secondary', 'ghost', 'danger'] as const;

export function KitActions() {
  const [openDialog, setOpenDialog] = useState<'dialog' | 'side' | 'confirm'>();
  const close = () => setOpenDialog(undefined);
  return (
    <Card title="Actions" description="Buttons, menus, dialogs, toasts" actions={<Kbd keys="Ctrl K" />}>
      <div class="row">
        {variants.map((variant) => (
          <Button key={variant} variant={variant} icon="plus">
            {variant}
          </Button>
        ))}
        <Button busy>Busy</Button>
        <Button disabled>Disabled</Button>
        <Button size="small">Small</Button>
        <Button href="/servers">Link</Button>
        <IconButton icon="edit" label="Edit" onClick={() => toast('Edit')} />
        <CopyButton text="text" wide />
        <CopyText text="http://127.0.0.1:8080/mcp/weather/abc" />
        <Menu
          label="Actions"
          items={[
            { label: 'Duplicate', icon: 'copy', onSelect: () => toast('Duplicated') },
            { label: 'Not now', icon: 'pause', disabled: true, onSelect: close },
            { label: 'Delete…', icon: 'trash', tone: 'bad', onSelect: () => setOpenDialog('confirm') },
          ]}
        />
        <Menu
          label="Export"
          text="Export"
          items={[{ label: 'CSV', icon: 'download', onSelect: () => toast('Saved') }]}
        />
      </div>
      <div class="row">
        <Button onClick={() => setOpenDialog('dialog')}>Dialog</Button>
        <Button onClick={() => setOpenDialog('side')}>Side</Button>
        <Button onClick={() => setOpenDialog('confirm')}>Confirm</Button>
        <Button onClick={() => toast('Weather is paused.', { action: { label: 'Undo', run: close } })}>Toast</Button>
        <Button onClick={() => toast('The service does not respond.', { tone: 'bad' })}>Bad toast</Button>
      </div>
      <div class="row">
        {iconNames.map((name) => (
          <span key={name} title={name}>
            <Icon name={name} />
          </span>
        ))}
      </div>
      <Dialog
        open={openDialog === 'dialog'}
        onClose={close}
        title="A dialog"
        footer={<Button onClick={close}>Done</Button>}
      >
        Something to decide.
      </Dialog>
      <Dialog open={openDialog === 'side'} onClose={close} title="Details" placement="side">
        Details of what was chosen in a list.
      </Dialog>
      {openDialog === 'confirm' && (
        <Confirm
          title="Delete server"
          action="Delete server"
          name="Weather"
          onConfirm={async () => toast('Deleted')}
          onClose={close}
        >
          This deletes the server and everything in it. You cannot undo this.
        </Confirm>
      )}
    </Card>
  );
}
