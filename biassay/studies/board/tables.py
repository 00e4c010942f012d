"""The tables of the studies that the board reads, with their columns."""

import pandas as pd

from biassay.core import csv_tables

COLUMNS = {  # by study and by path below results/<study>/ without .csv
    "first_order": {"correlations": "corpus embedding method word_list statistics n spearman spearman_p"},
    "silhouette": {
        "scores": "metric relative accuracy relative_accuracy auc robustness_biased words_needed_biased n_shuffles",
        "false_positives": "metric form bias share test false_positive_rate false_positive_rate_low "
        "false_positive_rate_high n_unbiased power power_low power_high n_biased",
    },
    "properties": {"properties": "metric level n_groups property verdict reason n_evaluations"},
    "same": {
        "tables/summary": "metric ground_truth against r2_mean low high models upper_bound",
        "tables/correlations": "metric ground_truth against learned distribution r",
        "tables/sets": "metric against r2 low high n p",
        "tables/retraining_variability": "metric difference low high models note",
        "tables/subsampling_variability": "metric deviation low high relative models",
    },
    "intrinsic": {
        "tables/words": "attribute first second r_mean low high models n",
        "tables/correlations": "attribute first second distribution r",
        "tables/retraining_variability": "attribute metric sign_flip_rate distributions",
        "tables/min_detectable_effect": "attribute metric strength max_detection_rate",
    },
    "downstream": {
        "tables/ranking": "form set attribute version ground_truth score n_models ranking_accuracy low high chance "
        "p reliability upper_bound reason"
    },
    "seeds": {"scores": "metric quantity std n_seeds"},
    "reliability": {
        "frequency": "is_shuffled embedding metric slope n",
        "reliability": "corpus embedding metric test_retest internal_pairs n",
    },
    "calibration": {
        "calibration": "model test metric form min_detectable_dose dose_low dose_high max_dose recovery recovery_low "
        "recovery_high samples is_liberal",
        "skipped": "model test metric reason",
    },
}
KINDS = csv_tables.column_types(text="metric score", boolean="relative learned is_shuffled is_liberal")


def read(study: str, name: str, path: str) -> pd.DataFrame:
    """Read a table of a study."""
    return csv_tables.read(path, COLUMNS[study][name], KINDS, allow_empty=True)
