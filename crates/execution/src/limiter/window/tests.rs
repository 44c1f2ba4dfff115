//! Compares the window with a plain log of admitted requests, and tests its edge cases.

use proptest::prelude::*;

use super::*;

const MINUTE_MS: u64 = 60_000;

fn admit_many(window: &mut Window, now_ms: u64, limit: u32, times: u32) -> u32 {
    (0..times).map(|_| u32::from(window.admit(now_ms, limit).is_ok())).sum()
}

fn refusal_secs(window: &mut Window, now_ms: u64, limit: u32) -> u64 {
    window.admit(now_ms, limit).unwrap_err().0.as_secs()
}

/// The milliseconds between two requests: bursts, slow sequences, and pauses around the length of the window.
fn gap_ms() -> impl Strategy<Value = u64> {
    prop_oneof![4 => Just(0), 4 => 1_u64..300, 3 => 300_u64..20_000, 1 => 59_800_u64..60_300, 1 => 60_000_u64..200_000]
}

proptest! {
    #[test]
    fn no_sixty_seconds_contain_more_requests_than_the_limit(
        limit in 1_u32..30,
        start in prop_oneof![Just(0_u64), 0..1_000_000_u64, Just(u64::from(u32::MAX) * SLOT_MS - 30_000)],
        gaps in prop::collection::vec(gap_ms(), 1..400),
    ) {
        let (mut window, mut log, mut now) = (Window::default(), Vec::new(), start);
        for gap in gaps {
            now += gap;
            let is_below_limit = |margin: u64| {
                log.iter().filter(|at: &&u64| now - **at <= MINUTE_MS + margin).count() < limit as usize
            };
            let (fits_without_margin, fits_with_margin) = (is_below_limit(0), is_below_limit(SLOT_MS));
            match window.admit(now, limit) {
                Ok(()) => {
                    prop_assert!(fits_without_margin, "a request above the limit was admitted at {now}");
                    log.push(now);
                }
                Err(_) => prop_assert!(!fits_with_margin, "a request below the limit was refused at {now}"),
            }
            prop_assert_eq!(window.admitted, window.slots.iter().map(|slot| slot.count).sum::<u32>());
        }
    }

    #[test]
    fn an_idle_window_admits_exactly_the_limit(limit in 1_u32..2_000, earlier in 0_u32..2_000, offset in 0_u64..1_000) {
        let mut window = Window::default();
        admit_many(&mut window, offset, limit, earlier);
        let idle_at = offset + MINUTE_MS + SLOT_MS;
        prop_assert!(window.is_idle(idle_at));
        prop_assert_eq!(admit_many(&mut window, idle_at, limit, limit + 5), limit);
    }

    #[test]
    fn a_retry_after_the_returned_time_is_admitted(
        limit in 1_u32..20,
        new_limit in 1_u32..20,
        gaps in prop::collection::vec(gap_ms(), 1..100),
    ) {
        let (mut window, mut now) = (Window::default(), 0);
        for gap in gaps {
            now += gap;
            let _ = window.admit(now, limit);
        }
        if let Err(RateLimited(wait)) = window.admit(now, new_limit) {
            prop_assert!(wait.subsec_nanos() == 0 && (1..=61).contains(&wait.as_secs()));
            if wait.as_secs() > 1 {
                prop_assert!(window.admit(now + (wait.as_secs() - 1) * 1000, new_limit).is_err());
            }
            prop_assert!(window.admit(now + wait.as_secs() * 1000, new_limit).is_ok());
        }
    }
}

#[test]
fn a_slot_expires_when_all_of_it_is_older_than_a_minute() {
    let mut window = Window::default();
    assert_eq!(admit_many(&mut window, 99, 1, 2), 1);
    assert!(window.admit(60_099, 1).is_err());
    assert!(window.admit(60_100, 1).is_ok());
}

#[test]
fn refused_requests_do_not_prolong_the_wait() {
    let mut window = Window::default();
    assert_eq!(admit_many(&mut window, 0, 3, 100), 3);
    assert_eq!(refusal_secs(&mut window, 30_000, 3), 31);
    assert_eq!(refusal_secs(&mut window, 60_099, 3), 1);
    assert_eq!(admit_many(&mut window, 60_100, 3, 100), 3);
}

#[test]
fn a_clock_that_stands_still_or_goes_back_admits_no_more() {
    let mut window = Window::default();
    assert_eq!(admit_many(&mut window, 5_000, 10, 1_000), 10);
    assert!(window.admit(0, 10).is_err());
    assert_eq!(refusal_secs(&mut window, 5_000, 10), 61);
}

#[test]
fn a_lowered_limit_waits_until_enough_requests_expire() {
    let mut window = Window::default();
    for second in 0..10 {
        window.admit(second * 1_000, 10).unwrap();
    }
    // Eight of ten must expire before fewer than three remain; the eighth came at 7 s.
    assert_eq!(refusal_secs(&mut window, 10_000, 3), 58);
    assert!(window.admit(67_099, 3).is_err());
    assert!(window.admit(67_100, 3).is_ok());
}

#[test]
fn a_raised_limit_admits_the_difference() {
    let mut window = Window::default();
    assert_eq!(admit_many(&mut window, 0, 5, 9), 5);
    assert_eq!(admit_many(&mut window, 1, 8, 9), 3);
}

#[test]
fn without_a_limit_nothing_is_counted() {
    let mut window = Window::default();
    assert_eq!(admit_many(&mut window, 0, 0, 10_000), 10_000);
    assert!(window.slots.capacity() == 0 && window.is_idle(0));
    assert_eq!(admit_many(&mut window, 0, 7, 10), 7);
}

#[test]
fn the_busiest_window_stays_small() {
    let mut window = Window::default();
    for now_ms in 0..300_000 {
        let _ = window.admit(now_ms, u32::MAX);
    }
    assert_eq!(window.slots.len() as u64, WINDOW_SLOTS + 1);
    assert!(window.slots.capacity() * size_of::<WindowSlot>() <= 8 * 1024);
}

#[test]
fn the_largest_time_does_not_overflow() {
    let mut window = Window::default();
    assert_eq!(admit_many(&mut window, u64::MAX, 2, 3), 2);
}
