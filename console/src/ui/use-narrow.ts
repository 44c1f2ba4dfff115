/** Whether the screen is narrow, as in the media queries of the style sheets. */
import { useEffect, useState } from 'preact/hooks';

const narrowScreen = '(max-width: 760px)';

export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrowScreen).matches);
  useEffect(() => {
    const query = matchMedia(narrowScreen);
    const update = () => setNarrow(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return isNarrow;
}
