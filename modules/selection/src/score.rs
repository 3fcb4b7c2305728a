//! What scores come to: the weighted mean of a review, and median, mean, spread and disagreement of several reviews. All
//! in hundredths: 350 is 3.50.

/// The weighted mean of the scores of a review, each with the weight of its criterion; `None` if it abstains in all.
/// An abstention counts neither as a score nor with its weight.
pub(crate) fn weighted(scores: &[(i64, Option<i64>)]) -> Option<i64> {
    let given = scores.iter().filter_map(|(weight, score)| Some((*weight, weight * (*score)?)));
    let (weights, sum) = given.fold((0, 0), |(weights, sum), (weight, score)| (weights + weight, sum + score));
    (weights > 0).then(|| rounded(sum * 100, weights))
}

/// What several reviews of a film come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Number of reviews, also of those that abstain in everything.
    pub(crate) reviews: i64,
    pub(crate) median: Option<i64>,
    pub(crate) mean: Option<i64>,
    /// Highest score less the lowest.
    pub(crate) spread: Option<i64>,
    /// Standard deviation.
    pub(crate) deviation: Option<i64>,
}

impl Summary {
    /// Summarizes the scores of reviews; `None` is a review that abstains in everything.
    pub(crate) fn of(reviews: &[Option<i64>]) -> Self {
        let mut scores: Vec<i64> = reviews.iter().copied().flatten().collect();
        scores.sort_unstable();
        let reviews = reviews.len() as i64;
        let (Some(lowest), Some(highest)) = (scores.first(), scores.last()) else {
            return Self { reviews, ..Self::default() };
        };
        let count = scores.len() as i64;
        let sum: i64 = scores.iter().sum();
        let middle = scores.len() / 2;
        let median = match scores.len() % 2 {
            0 => rounded(scores[middle - 1] + scores[middle], 2),
            _ => scores[middle],
        };
        let squares: i64 = scores.iter().map(|score| (count * score - sum).pow(2)).sum();
        let deviation = (squares as f64 / count as f64).sqrt() / count as f64;
        Self {
            reviews,
            median: Some(median),
            mean: Some(rounded(sum, count)),
            spread: Some(highest - lowest),
            deviation: Some(deviation.round() as i64),
        }
    }
}

/// "3.50"; "" without a value.
pub(crate) fn text(hundredths: Option<i64>) -> String {
    hundredths.map_or(String::new(), |value| format!("{}.{:02}", value / 100, value % 100))
}

fn rounded(sum: i64, count: i64) -> i64 {
    (sum + count / 2) / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_count_and_abstentions_do_not() {
        // (2 * 5 + 1 * 2) / 3
        assert_eq!(weighted(&[(2, Some(5)), (1, Some(2))]), Some(400));
        assert_eq!(weighted(&[(2, Some(5)), (1, None)]), Some(500));
        assert_eq!(weighted(&[(1, Some(1)), (1, Some(2)), (1, Some(2))]), Some(167));
        assert_eq!(weighted(&[(2, None)]), None);
    }

    #[test]
    fn median_mean_spread_and_deviation_are_those_written_out() {
        let odd = Summary::of(&[Some(500), Some(200), Some(400), None]);
        assert_eq!(
            odd,
            Summary { reviews: 4, median: Some(400), mean: Some(367), spread: Some(300), deviation: Some(125) }
        );
        let even = Summary::of(&[Some(100), Some(500), Some(300), Some(200)]);
        assert_eq!(
            even,
            Summary { reviews: 4, median: Some(250), mean: Some(275), spread: Some(400), deviation: Some(148) }
        );
        assert_eq!(Summary::of(&[None]), Summary { reviews: 1, ..Summary::default() });
        assert_eq!((text(Some(367)), text(Some(1005)), text(None)), ("3.67".into(), "10.05".into(), String::new()));
    }
}
