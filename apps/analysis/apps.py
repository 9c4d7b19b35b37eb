from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "apps.analysis"

    def ready(self) -> None:
        """The worker asks the rule whether a run needs another round."""
        from apps.analysis.rounds.rule import SteadyRule  # models, after set-up
        from apps.runs.going_on import rule_register  # models, after set-up

        rule_register(SteadyRule())
