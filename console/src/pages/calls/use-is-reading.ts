/** Whether the user is reading the list: it is scrolled down, or a row has the keyboard focus. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** `isListShown`: the list is on the page. */
export function useIsReading(frame: RefObject<HTMLElement>, isListShown: boolean): boolean {
  const [scrolled, setScrolled] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    const element = frame.current;
    setScrolled(false);
    setFocused(false);
    if (!element) return;
    // A scroll of a few pixels is ignored.
    const onScroll = () => setScrolled(element.scrollTop > 4);
    const onFocus = () => setFocused(element.querySelector(':focus-visible') !== null);
    const onBlur = (event: FocusEvent) => {
      const { relatedTarget } = event;
      setFocused(relatedTarget instanceof Node && element.contains(relatedTarget));
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('focusin', onFocus);
    element.addEventListener('focusout', onBlur);
    return () => {
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('focusin', onFocus);
      element.removeEventListener('focusout', onBlur);
    };
  }, [isListShown]);
  return scrolled || focused;
}
