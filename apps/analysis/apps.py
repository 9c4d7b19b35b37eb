from django.apps import AppConfig

RULES = (
    "apps.analysis.steady_state.rule.SteadyStateStoppingRule",
    "apps.analysis.verdicts.precision_rule.PrecisionRule",
    "apps.analysis.sweep.load_search.rule.LoadSearchRule",
)


class AnalysisConfig(AppConfig):
    name = "apps.analysis"

    def ready(self) -> None:
        """The worker asks the rules whether a run needs another round or block. They are named
        only: all that a comparison needs would be loaded by every command (0.3 s).
        """
        from apps.runs.services.stopping_rules import rule_register  # models, after set-up

        for rule in RULES:
            rule_register(rule)
