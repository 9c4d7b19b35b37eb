from django.apps import AppConfig

RULES = (
    "apps.analysis.steady_state.rule.SteadyStateStoppingRule",
    "apps.analysis.verdicts.precision_rule.PrecisionRule",
    "apps.analysis.sweep.load_search.rule.LoadSearchRule",
)


class AnalysisConfig(AppConfig):
    name = "apps.analysis"

    def ready(self) -> None:
        """Register the stopping rules by name.

        Importing them would load all of a comparison in every command (0.3 s).
        """
        from apps.runs.services.stopping_rules import rule_register  # models, after set-up

        for rule in RULES:
            rule_register(rule)
