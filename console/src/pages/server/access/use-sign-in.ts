/** State of the sign-in form: values, errors and saving. */
import { patch } from '../../../api/client';
import type { Server } from '../../../api/types';
import { useMutation } from '../../../api/use-mutation';
import { useDraft } from '../../../app/drafts';
import { useUnsavedGuard } from '../../../app/unsaved';
import { otherErrors } from '../../../logic/nested-errors';
import { fromOAuthForm, type OAuthForm, oauthErrors, toOAuthForm } from '../../../logic/oauth-form';
import { toast } from '../../../ui/Toast';

export interface SignInForm {
  values: OAuthForm;
  /** Changes some of the values. */
  set: (part: Partial<OAuthForm>) => void;
  dirty: boolean;
  discard: () => void;
  busy: boolean;
  save: () => Promise<unknown>;
  /** Errors by key of `settings.oauth`. */
  errors: Record<string, string>;
  /** Errors without a field. */
  general: string | undefined;
}

/** `choosing`: the server does not require sign-in yet, but will after saving. */
export function useSignIn(server: Server, choosing: boolean, onServer: (server: Server) => void): SignInForm {
  const draft = useDraft(`server/${server.id}/sign-in`, toOAuthForm(server));
  useUnsavedGuard(draft.dirty, 'Sign-in');
  const save = useMutation(async () => {
    const oauth = fromOAuthForm(draft.value, server);
    const body = { ...(choosing ? { auth_type: 'oauth' as const } : {}), settings: { oauth } };
    const { data } = await patch('/servers/{id}', body, { path: { id: server.id } });
    draft.reset();
    onServer(data);
    toast(choosing ? `${server.name} now requires sign-in.` : 'Saved the sign-in settings.');
  }, ['settings', 'auth_type']);
  return {
    values: draft.value,
    set: (part) => draft.set({ ...draft.value, ...part }),
    dirty: draft.dirty,
    discard: draft.reset,
    busy: save.busy,
    save: save.run,
    errors: oauthErrors(save.fields.settings),
    general: save.general ?? save.fields.auth_type ?? otherErrors('settings', save.fields.settings, ['oauth']),
  };
}
