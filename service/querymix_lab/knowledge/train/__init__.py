"""What is learned before a bundle is built, or from an operator's click log. Nothing here runs on the stream.

- Term weights that come with the package (`querymix knowledge teach`; needs the extra `teach` and two models):
  1. `examples.py`: example queries with their categories (lists/phrases.tsv), the terms of the own lists with theirs,
     and texts without: words and pairs of words of the web, and WordNet's lemmas of several words.
  2. `encoder.py`: two sentence encoders, in numpy.
  3. `teacher.py`: kernel ridge regression from the embeddings of the example queries to their categories, for the texts
     that the larger encoder has read; a second one on the smaller encoder alone learns the first one's scores, for all
     others.
  4. `student.py`: multinomial regression on uni-, bi- and trigrams, fitted to the teachers' scores and, in part, to the
     categories of the examples. Its weights are what a bundle holds.
  `term_weights.py` puts them together. No search log takes part.
- An operator's own bundle (`querymix knowledge learn`): `operator_facts.py` and `clicks.py`.
- Lists for the grammar of the paper's classifier: `tag_log_odds.py`, `query_texts.py`, `function_words.py`, with spaCy
  (`reference_tagger.py`).

Source: Hinton, Vinyals, Dean 2015, "Distilling the Knowledge in a Neural Network"; Reimers and Gurevych 2019,
"Sentence-BERT"; Rahimi and Recht 2007, "Random Features for Large-Scale Kernel Machines".
"""
