from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "apps.analysis"

    def ready(self) -> None:
        """The worker asks the rules whether a run needs another round or block."""
        from apps.analysis.compare.more_repeats.deciding import (
            UntilDecidedRule,  # models, after set-up
        )
        from apps.analysis.rounds.rule import SteadyRule  # models, after set-up
        from apps.analysis.sweep.saturation.rule import SaturationRule  # models, after set-up
        from apps.runs.more_repeats.going_on import rule_register  # models, after set-up

        rule_register(SteadyRule())
        rule_register(UntilDecidedRule())
        rule_register(SaturationRule())
