from django.apps import AppConfig

RULES = (
    "apps.analysis.rounds.rule.SteadyRule",
    "apps.analysis.compare.more_repeats.deciding.UntilDecidedRule",
    "apps.analysis.sweep.saturation.rule.SaturationRule",
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
