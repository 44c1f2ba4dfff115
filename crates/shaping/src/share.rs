//! Divides a budget among values.

use crate::cost::Cost;

/// The share of `available` for each cost: small costs are covered completely, the others get equal shares of the rest.
pub(crate) fn shares(costs: &[Cost], available: Cost) -> Vec<Cost> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|&index| costs[index]);
    let mut shares = vec![0; costs.len()];
    let (mut left, mut count) = (available, costs.len() as Cost);
    for index in order {
        let share = costs[index].min(left / count);
        shares[index] = share;
        left -= share;
        count -= 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_costs_are_covered_and_the_others_share_equally() {
        assert_eq!(shares(&[10, 1000, 500], 610), [10, 300, 300]);
        assert_eq!(shares(&[10, 20], 100), [10, 20]);
        assert_eq!(shares(&[50, 50], 0), [0, 0]);
        assert_eq!(shares(&[], 5), Vec::<Cost>::new());
    }
}
